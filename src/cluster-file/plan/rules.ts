import { joinErrors } from '../../config/layer.ts';
import type { Context } from '../../context.ts';
import type { CliError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import type { ClusterFile } from '../file/document.ts';
import type { FileRule } from '../file/rules.ts';
import type { Kind, RuledThing, Scope, Wanted } from '../kinds/kind.ts';

/** What was read of a kind. */
interface ReadKind {
  readonly kind: Kind;
  readonly scope: Pick<Scope<Wanted>, 'wanted'>;
  readonly existing: unknown;
}

/**
 * Checks that all that the files describe keeps their rules; rules of the level `warn` only warn.
 * @throws CliError (exit 2) with all that does not, each with its place in the files
 */
export function checkRules(context: Context, { rules }: ClusterFile, plans: readonly ReadKind[]): void {
  const errors: CliError[] = [];
  for (const rule of rules) {
    for (const thing of thingsOf(rule, plans)) {
      const why = breachOf(rule, thing);
      const fault = why === undefined ? undefined : rule.faultAt(thing.way, why);
      if (fault === undefined) continue;
      if (rule.isWarning) context.warn(fault.message);
      else errors.push(fault);
    }
  }
  if (errors.length > 0) throw joinErrors(errors);
}

/** What the files want of the kind that a rule is about. */
function thingsOf({ about }: FileRule, plans: readonly ReadKind[]): readonly RuledThing[] {
  return plans
    .filter(({ kind, existing }) => kind.noun === about && existing !== undefined)
    .flatMap(({ kind, scope, existing }) =>
      [...scope.wanted.values()].flatMap((one) => kind.ruled?.things(one, existing) ?? []),
    );
}

/** Why a thing does not keep a rule. */
function breachOf({ rule, unless, text, place, because }: FileRule, { fields }: RuledThing): string | undefined {
  if (unless?.holds(fields) === true) return undefined;
  const result = rule.holds(fields);
  if (result === true) return undefined;
  const why = rule.why();
  const seen = rule.seen(fields);
  const isSeen = result === false || seen.some((one) => one.endsWith(' is null'));
  const reason = isSeen ? seen.join(', ') : why;
  return `${because === undefined ? '' : `${because}: `}${reason}; ${place} requires ${excerpt(text)}`;
}
