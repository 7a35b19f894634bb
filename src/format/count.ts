/** `1 topic`, `2 topics`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The number with commas between thousands, and what it counts: `1 record`, `2,000 records`. */
export function grouped(number: number, noun?: string): string {
  const digits = String(number).replace(/\B(?=(\d{3})+$)/g, ',');
  return noun === undefined ? digits : `${digits} ${noun}${number === 1 ? '' : 's'}`;
}
