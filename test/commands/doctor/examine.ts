import type { Check } from '../../../src/doctor/check-rows.ts';
import { type Outcome, run } from '../../world.ts';

/** Environment variables. */
export type Env = Readonly<Record<string, string>>;

/** Runs `doctor` and returns its checks with the outcome. */
export async function examine(env: Env, flags = ''): Promise<{ checks: readonly Check[]; outcome: Outcome }> {
  const outcome = await run(`doctor --format json ${flags}`, { env });
  return { checks: JSON.parse(outcome.stdout).checks, outcome };
}

/** The step and status of each check of an API, in order. */
export function statuses(checks: readonly Check[], api = 'kafka'): readonly string[] {
  return checks.filter((check) => check.api === api).map(({ step, status }) => `${step} ${status}`);
}

/** Returns the first check of a step. */
export function checkOf(checks: readonly Check[], step: string, api = 'kafka'): Check {
  const found = checks.find((check) => check.step === step && check.api === api);
  if (found === undefined) throw new Error(`there is no check ${step}`);
  return found;
}

/** The variables of a SASL user. */
export const sasl = ({ user, pass }: { user: string; pass: string }): Env => ({
  WEIR_USER: user,
  WEIR_PASS: pass,
  WEIR_SASL_MECHANISM: 'SCRAM-SHA-256',
});
