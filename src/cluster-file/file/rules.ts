import type { CliError } from '../../errors.ts';
import { type Rule, readRule } from '../../kafka/records/filter/rule.ts';
import { described, filled, leftOut, type RowOf, word } from '../../shape/shape.ts';
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
export interface FileRule extends Pick<RowOf<typeof ruleShape>, 'because'> {
  readonly text: string;
  /** The noun of the kind that it is about. */
  readonly about: string;
  readonly rule: Rule;
  readonly unless: Rule | undefined;
  readonly isWarning: boolean;
  /** The file and the line of the rule. */
  readonly place: string;
  /** The error about something that does not keep it. */
  faultAt(way: Fault['way'], why: string): CliError | undefined;
}

/** Where things are in the files. */
interface Places {
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
      faultAt: (way, why) => places.faultAt({ way, why }),
    });
  }
  return rules;
}

/** Why a rule is about nothing, or about something else than it should be. */
function subjectFault({ about }: Rule, expected: string | undefined) {
  if (about === undefined) return { at: 0, why: `name what it is about: ${[...subjects.keys()].join(', ')}` };
  return expected === undefined || about === expected ? undefined : { at: 0, why: `the rule is about ${expected}` };
}
