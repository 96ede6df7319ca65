// Spaced repetition by SM-2 (Woźniak 1990): an exercise comes back after a day, then after six, then after ever longer times, and after a
// failure on the next day. Days are those of the local calendar.

/** A day in milliseconds. */
const DAY = 86_400_000;
/** Ease factor of a new exercise, and the smallest one. */
const EASE = 2.5;
const MIN_EASE = 1.3;

/**
 * The local midnight with which a day begins, `days` after the one of `time`. A day on which the clocks change does not have 24 hours.
 * @param {number} time in milliseconds
 */
function midnight(time, days = 0) {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/**
 * The days of the calendar from today to the day of a time.
 * @param {number} time in milliseconds
 * @param {number} now in milliseconds
 */
export const daysUntil = (time, now = Date.now()) => Math.round((midnight(time) - midnight(now)) / DAY);

/** @returns {Schedule} an exercise that is due at once */
export const newSchedule = (now = Date.now()) => ({ repetitions: 0, interval: 0, ease: EASE, due: now });

/**
 * The schedule after an answer. The grade is 5 for an answer without help, 3 for one with a hint, and less for none. Before its time, only a
 * failure changes it: an answer shortly after the last one says little about what is remembered.
 * @param {Schedule} schedule
 * @param {number} grade
 * @param {number} now in milliseconds
 * @returns {Schedule}
 */
export function nextSchedule(schedule, grade, now = Date.now()) {
  const { repetitions, interval, ease, due } = schedule;
  if (grade >= 3 && due > now) return schedule;
  const missing = 5 - grade;
  const newEase = Math.max(MIN_EASE, ease + 0.1 - missing * (0.08 + missing * 0.02));
  if (grade < 3) return { repetitions: 0, interval: 1, ease: newEase, due: midnight(now, 1) };
  const days = repetitions === 0 ? 1 : repetitions === 1 ? 6 : Math.round(interval * newEase);
  return { repetitions: repetitions + 1, interval: days, ease: newEase, due: midnight(now, days) };
}
