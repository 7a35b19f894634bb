import type { Command, Noun } from '../cli/command.ts';

/** Hides commands that are known by an old spelling. @param reword changes the lines of their examples to it */
export function hiddenOnes(commands: Noun['commands'], reword: (line: string) => string): Noun['commands'] {
  return Object.fromEntries(Object.entries(commands).map(([name, one]) => [name, hiddenOne(one, reword)]));
}

function hiddenOne(one: Command | Noun, reword: (line: string) => string): Command | Noun {
  if (one.type === 'noun') return { ...one, hidden: true, commands: hiddenOnes(one.commands, reword) };
  const examples = one.examples.map(([purpose, line]) => [purpose, reword(line)] as const);
  return { ...one, examples, hidden: true };
}
