// Sounds of moves, made by oscillators: the page has no sound files.

/** @typedef {"move" | "capture" | "check" | "end"} Sound */

/**
 * For each sound, its tones: frequency in hertz, start and length in seconds, and the form of the wave.
 * @type {Record<Sound, [frequency: number, start: number, length: number, type: OscillatorType][]>}
 */
const SOUNDS = {
  move: [[330, 0, 0.07, "triangle"]],
  capture: [[250, 0, 0.06, "square"], [170, 0.05, 0.08, "triangle"]],
  check: [[520, 0, 0.09, "triangle"], [660, 0.08, 0.12, "triangle"]],
  end: [[392, 0, 0.18, "triangle"], [330, 0.16, 0.18, "triangle"], [262, 0.32, 0.35, "triangle"]],
};
const VOLUME = 0.16;

/** @type {AudioContext | undefined} */
let context;

/**
 * The sound of a move.
 * @param {string} san
 * @param {boolean} isEnd
 * @returns {Sound}
 */
export function soundOf(san, isEnd = false) {
  if (isEnd || san.includes("#")) return "end";
  if (san.includes("+")) return "check";
  return san.includes("x") ? "capture" : "move";
}

/**
 * Plays a sound. Browsers allow it after the first click or key.
 * @param {Sound} name
 */
export function playSound(name) {
  context ??= new AudioContext();
  // Safari interrupts sounds of a page in the background.
  if (context.state !== "running") context.resume();
  const { currentTime, destination } = context;
  for (const [frequency, start, length, type] of SOUNDS[name]) {
    const tone = new OscillatorNode(context, { type, frequency });
    const volume = new GainNode(context, { gain: 0 });
    const at = currentTime + start;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(type === "square" ? VOLUME / 3 : VOLUME, at + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
