import { flag, toggle } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { CliError, exitCodes } from '../errors.ts';
import type { Kind } from '../kinds.ts';

/** The name of a context, such as `.staging`; `.` is the default one. */
export const contextName: Kind<string> = {
  name: 'context',
  hint: 'CONTEXT',
  parse(value) {
    if (!value.startsWith('.') || value.includes(':'))
      throw new Error('a context is . or begins with it, like .staging');
    return value;
  },
  show: (value) => value,
};

/** The flag of rpk for commands about subjects. */
export const contextFlags = {
  schemaContext: flag(contextName, {
    help: 'context of the subjects, for example .staging (default: as they are named)',
  }),
  skipContextCheck: toggle({ hidden: true, help: 'do not check that the registry has contexts' }),
};

/** The same for commands about records, which topics have a default for. */
export const recordContextFlags = {
  schemaContext: flag(contextName, {
    help: 'context of the schemas, for example .staging (default: as the topic says, on Redpanda)',
  }),
};

/** The values of `contextFlags` or `recordContextFlags`. */
export interface ContextValues {
  readonly schemaContext: string | undefined;
  readonly skipContextCheck?: boolean;
}

/** What the names of subjects of a context begin with, such as `:.staging:`; '' for the default one. */
export function prefixOf(schemaContext: string | undefined): string {
  return schemaContext === undefined || schemaContext === '.' ? '' : `:${schemaContext}:`;
}

/** The name of a subject in a context, unless the name says another one. */
export function subjectIn({ schemaContext }: Pick<ContextValues, 'schemaContext'>, subject: string): string {
  return subject.startsWith(':.') ? subject : prefixOf(schemaContext) + subject;
}

/**
 * Checks that the registry has contexts, if the line names one: others take `:.staging:orders` as the name of a subject.
 * @throws CliError (exit 1) if it has none
 */
export async function requireContexts(context: Context, values: ContextValues): Promise<void> {
  if (prefixOf(values.schemaContext) === '' || values.skipContextCheck) return;
  const registry = await context.registry();
  await registry.contexts();
  if (registry.lacksContexts) {
    const prefix = prefixOf(values.schemaContext);
    context.warn(`this registry has no contexts: "${prefix}" only begins the names of subjects`);
    return;
  }
  if (!(await registry.hasLiteralNames())) return;
  const property = 'schema_registry_enable_qualified_subjects';
  throw new CliError(
    exitCodes.failure,
    `unable to use the context "${values.schemaContext}": the registry takes it as a part of the name of a subject, because ${property} is false`,
    {
      code: 'CONTEXTS_DISABLED',
      hints: [
        `set it with: weir cluster config set ${property} true`,
        'the old value applies until the brokers are restarted',
      ],
    },
  );
}

/**
 * Notices, after the global setting was made, that only the default context has it.
 * @param name of the setting, for example `mode`
 */
export async function noticeOtherContexts(context: Context, name: string): Promise<void> {
  const names = await (await context.registry()).contexts().catch(() => []);
  const others = names.filter((one) => one !== '.' && one !== everyContext);
  if (others.length === 0) return;
  const whose = others.length === 1 ? `the context ${others[0]}` : `the contexts ${others.join(', ')}`;
  context.noticeAfter(
    `the ${name} of ${whose} was not changed: set it with --schema-context (${everyContext} for all contexts without their own)`,
  );
}

/** The context whose settings those have that have none of their own. */
const everyContext = '.__GLOBAL';
