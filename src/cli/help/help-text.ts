/** Breaks text at spaces into lines of at most `width` columns; a longer word has a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

const margin = 2;
const gap = 2;
const widestName = 26;

/** Lays out names and their meanings in two columns; a long name has a line of its own. */
export function columnsOf(rows: readonly (readonly [string, string])[], width: number): string {
  const fitting = rows.map(([name]) => name.length).filter((length) => length <= widestName);
  const at = margin + Math.max(0, ...fitting) + gap;
  return rows.flatMap(([name, text]) => row(name, wrap(text, Math.max(20, width - at)), at)).join('\n');
}

function row(name: string, texts: readonly string[], at: number): readonly string[] {
  const [first = '', ...more] = texts;
  const rest = more.map((text) => ' '.repeat(at) + text);
  const head = ' '.repeat(margin) + name;
  if (head.length + gap > at) return [head, ' '.repeat(at) + first, ...rest];
  return [head.padEnd(at) + first, ...rest];
}
