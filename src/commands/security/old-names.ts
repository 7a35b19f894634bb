import { type Command, type Noun, noun } from '../../cli/command.ts';
import { acl } from './acl/index.ts';
import { user } from './user/index.ts';

/** `acl`, rpk's old spelling of `security acl` and `security user`; hidden. */
export const oldAcl = noun({
  summary: 'The same as security acl and security user',
  hidden: true,
  commands: hiddenOnes({ ...acl.commands, user }),
});

function hiddenOnes(commands: Noun['commands']): Noun['commands'] {
  return Object.fromEntries(Object.entries(commands).map(([name, one]) => [name, hiddenOne(one)]));
}

function hiddenOne(one: Command | Noun): Command | Noun {
  if (one.type === 'command') {
    const examples = one.examples.map(
      ([purpose, line]) => [purpose, line.replace(/^security (acl )?/, 'acl ')] as const,
    );
    return { ...one, examples, hidden: true };
  }
  return { ...one, hidden: true, commands: hiddenOnes(one.commands) };
}
