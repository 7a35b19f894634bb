const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const asciiLevels = ['_', '.', ':', '-', '=', '+', '*', '#'];

/**
 * Draws the last values as bars next to each other, the newest at the right, from 0 to the largest of them. A value that is
 * not known is a gap.
 */
export function sparkline(values: readonly (number | null)[], columns: number, unicode = true): string {
  const levels = unicode ? blocks : asciiLevels;
  const shown = values.slice(Math.max(0, values.length - columns));
  const most = Math.max(0, ...shown.map((value) => value ?? 0));
  const bars = shown.map((value) => {
    if (value === null) return ' ';
    return levels[most === 0 ? 0 : Math.ceil((value / most) * (levels.length - 1))];
  });
  return bars.join('').padStart(columns);
}
