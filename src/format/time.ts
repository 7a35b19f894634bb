/** Shows milliseconds since the epoch as an RFC 3339 time in UTC, for example `2026-11-21T09:00:00.5Z`. */
export function showUtcTime(epochMs: number): string {
  return `${trimZeros(new Date(epochMs).toISOString().slice(0, -1))}Z`;
}

function trimZeros(time: string): string {
  return time.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

/** Shows a duration in milliseconds for progress lines, for example `850ms`, `12s`, `3m05s`, `2h10m`. */
export function showElapsed(milliseconds: number): string {
  const rounded = Math.round(milliseconds);
  if (rounded < 1000) return `${rounded}ms`;
  const seconds = Math.floor(rounded / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${String(seconds % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}
