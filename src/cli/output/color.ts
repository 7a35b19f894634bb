import type { Host, OutputStream } from '../../host/host.ts';

/** The values of `--color`. */
export type ColorChoice = 'auto' | 'always' | 'never';

/**
 * Whether text for `output` is colored. The first of these that is set decides: `--color`, NO_COLOR, FORCE_COLOR,
 * CLICOLOR_FORCE, TERM=dumb and CI; otherwise, whether `output` is a terminal. Empty variables and
 * `CLICOLOR_FORCE=0` are ignored; `FORCE_COLOR=0` and `FORCE_COLOR=false` mean no color.
 */
export function wantsColor(choice: ColorChoice, env: Host['env'], output: Pick<OutputStream, 'isTerminal'>): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  if (env.TERM === 'dumb' || env.CI) return false;
  return output.isTerminal;
}

/** Whether lines may be redrawn on `output`: only on a terminal that can, and not in CI. */
export function mayAnimate(env: Host['env'], output: OutputStream): boolean {
  return output.isTerminal && env.TERM !== 'dumb' && !env.CI;
}
