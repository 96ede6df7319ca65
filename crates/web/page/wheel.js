// Steps through the game by the wheel.

/** Turn of the wheel for a step, in pixels. Touch pads report many small turns. */
const STEP = 40;
/** Shortest time between two steps, in milliseconds. */
const INTERVAL = 60;

/**
 * Calls `next` and `previous` when the wheel is turned over an element.
 * @param {HTMLElement} element
 * @param {{ next(): void, previous(): void }} steps
 */
export function stepByWheel(element, { next, previous }) {
  let turned = 0;
  let last = 0;
  element.addEventListener("wheel", (event) => {
    // With Ctrl it zooms.
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    if (Math.sign(turned) !== Math.sign(event.deltaY)) turned = 0;
    // Firefox may report lines.
    turned += event.deltaMode === 0 ? event.deltaY : Math.sign(event.deltaY) * STEP;
    if (Math.abs(turned) < STEP || event.timeStamp - last < INTERVAL) return;
    if (turned > 0) next();
    else previous();
    turned = 0;
    last = event.timeStamp;
  }, { passive: false });
}
