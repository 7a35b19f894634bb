import type { CliError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { type Rule, readRule } from '../../kafka/records/filter/rule.ts';
import { described, filled, leftOut, type RowOf, word } from '../../shape/shape.ts';
import type { RuledThing, Sections } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { type Fault, fields, items } from './fields.ts';

const condition = 'in the language of --where (CEL), about one kind, for example: topic.replicas >= 3';

const ruleShape = fields({
  rule: described(filled, `what must hold for all that the files describe, ${condition}`),
  unless: leftOut(described(filled, 'what the rule does not concern, in the same language')),
  level: leftOut(described(word('fail', 'warn'), 'whether weir refuses the files, or only warns (default: fail)')),
  because: leftOut(described(filled, 'why there is the rule, for who reads that it does not hold')),
});

/** `require` */
export const requireShape = described(
  items(ruleShape),
  'rules that all files must keep, those beside this one as well',
);

/** A rule of the files. */
interface FileRule extends Pick<RowOf<typeof ruleShape>, 'because'> {
  readonly text: string;
  /** The noun of the kind that it is about. */
  readonly about: string;
  readonly rule: Rule;
  readonly unless: Rule | undefined;
  readonly isWarning: boolean;
  /** The file and the line of the rule. */
  readonly place: string;
}

/** Where things are in the files. */
export interface Places {
  /** The error about the value at the end of a way in the merged files; undefined if it is nowhere. */
  faultAt(fault: Fault): CliError | undefined;
  /** The file and the line of it. */
  placeOf(way: Fault['way']): string;
}

/** What rules can be about, with the fields of each. */
const subjects: ReadonlyMap<string, readonly string[]> = new Map(
  kinds.flatMap(({ noun, ruled }) => (ruled === undefined ? [] : [[noun, ruled.fields] as const])),
);

/** Reads the rules of merged files; what is wrong in them is added to `errors`. */
export async function readRules(
  given: RowOf<typeof requireShape>,
  places: Places,
  errors: CliError[],
): Promise<readonly FileRule[]> {
  const rules: FileRule[] = [];
  for (const [at, { rule: text, unless: exception, level = 'fail', because }] of given.entries()) {
    const read = async (field: 'rule' | 'unless', of: string, about?: string) => {
      const rule = await readRule(of, subjects);
      const fault = 'holds' in rule ? subjectFault(rule, about) : rule;
      if (fault === undefined) return rule as Rule;
      const error = places.faultAt({ way: ['require', at, field], why: fault.why, before: of.slice(0, fault.at) });
      if (error !== undefined) errors.push(error);
      return undefined;
    };
    const rule = await read('rule', text);
    const unless = exception === undefined ? undefined : await read('unless', exception, rule?.about);
    if (rule?.about === undefined) continue;
    rules.push({
      ...{ text, about: rule.about, rule, unless, isWarning: level === 'warn', place: places.placeOf(['require', at]) },
      ...(because !== undefined && { because }),
    });
  }
  return rules;
}

/** Why a rule is about nothing, or about something else than it should be. */
function subjectFault({ about }: Rule, expected: string | undefined) {
  if (about === undefined) return { at: 0, why: `name what it is about: ${[...subjects.keys()].join(', ')}` };
  return expected === undefined || about === expected ? undefined : { at: 0, why: `the rule is about ${expected}` };
}

/** The files that rules are about. */
interface Ruled {
  readonly sections: Sections;
  readonly defaults: Sections;
}

/** As errors: a rule about a default can concern all of a large cluster. */
const mostWarnings = 50;

/** What of the files does not keep their rules: errors, and warnings of rules of the level `warn`. */
export function breachesOf(rules: readonly FileRule[], file: Ruled, places: Places) {
  const breaches = rules.flatMap((rule) =>
    thingsOf(rule, file).flatMap((thing) => {
      const why = breachOf(rule, thing);
      const fault = why === undefined ? undefined : places.faultAt({ way: thing.way, why });
      return fault === undefined ? [] : [{ fault, isWarning: rule.isWarning }];
    }),
  );
  const warnings = breaches.flatMap(({ fault, isWarning }) => (isWarning ? [fault.message] : []));
  const more = warnings.length - mostWarnings;
  return {
    errors: breaches.flatMap(({ fault, isWarning }) => (isWarning ? [] : [fault])),
    warnings: more > 0 ? [...warnings.slice(0, mostWarnings), `and ${more} more warnings`] : warnings,
  };
}

/** What the files have of the kind that a rule is about. */
function thingsOf({ about }: FileRule, { sections, defaults }: Ruled): readonly RuledThing[] {
  return kinds
    .filter(({ noun }) => noun === about)
    .flatMap((kind) => kind.wanted(sections, defaults).flatMap((one) => kind.ruled?.things(one) ?? []));
}

/** Why a thing does not keep a rule. */
function breachOf({ rule, unless, text, place, because }: FileRule, { fields: facts }: RuledThing): string | undefined {
  if (unless?.holds(facts) === true) return undefined;
  const result = rule.holds(facts);
  if (result === true) return undefined;
  const why = rule.why();
  const seen = rule.seen(facts);
  const isSeen = result === false || seen.some((one) => one.endsWith(' is null'));
  const reason = isSeen ? seen.join(', ') : why;
  return `${because === undefined ? '' : `${because}: `}${reason}; ${place} requires ${excerpt(text)}`;
}
