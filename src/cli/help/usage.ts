import type { Argument, Command } from '../command.ts';

/** `weir topic create TOPIC... [FLAGS]`. */
export function usage(command: Command, path: readonly string[]): string {
  return ['weir', ...path, ...Object.values(command.args).map(argumentUsage), '[FLAGS]'].join(' ');
}

function argumentUsage({ label, arity }: Argument<unknown>): string {
  if (arity === 'one') return label;
  if (arity === 'optional') return `[${label}]`;
  return arity === 'many' ? `${label}...` : `[${label}...]`;
}
