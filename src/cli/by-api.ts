import type { Context } from '../context.ts';
import { oneOf } from '../kinds.ts';
import type { Shape } from '../shape/shape.ts';
import {
  type AllValues,
  type Args,
  type Called,
  type Command,
  command,
  type Flag,
  type Flags,
  flag,
  type Result,
  type Show,
} from './command.ts';

/** An API of a cluster that can do what a command is for. */
export type ChosenApi = 'kafka' | 'admin';

/** The flag that forces one of the two APIs. */
export const apiFlag = flag(oneOf('API', ['kafka', 'admin']), {
  help: 'API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)',
});

const apiHelp =
  'Uses the Admin API if admin.hosts is set or the cluster is Redpanda, otherwise the Kafka API. --api forces one.';

/** What the help of a verb says about its two APIs, and the examples of both. */
interface ApiTexts {
  readonly description?: string;
  readonly examples: Command['examples'];
  /** Paragraphs of the help after what it says about the APIs. */
  readonly notes?: string | undefined;
  readonly kafka: { readonly help?: string; readonly examples?: Command['examples'] };
  readonly admin: { readonly help?: string; readonly examples?: Command['examples'] };
}

/** The description and the examples of a verb that two APIs can do. */
export function helpByApi({ description, examples, notes, kafka, admin }: ApiTexts) {
  const about = [apiHelp, [kafka.help, admin.help].filter((one) => one !== undefined).join(' ')];
  return {
    description: [description, about.filter(Boolean).join('\n'), notes].filter(Boolean).join('\n\n'),
    examples: [...examples, ...(kafka.examples ?? []), ...(admin.examples ?? [])],
  };
}

/** What a verb reads over one API. `V` is what it gets of the command line. */
interface ApiVariant<V, R> {
  /** Sentences of the help about this API. */
  readonly help?: string;
  /** Examples of this API, which follow those of both. */
  readonly examples?: Command['examples'];
  run(context: Context, values: V): Promise<R> | R;
}

/** The declaration of a verb that reads over either API. */
interface ReadByApiSpec<A, F, V, R> extends Omit<Called<A, F>, 'apis' | 'changes'> {
  readonly flags: F;
  readonly result: Shape<R>;
  readonly show: Show<R, AllValues<A, F>>;
  /** Paragraphs of the help after what it says about the APIs. */
  readonly notes?: string;
  /** Checks the values before an API is chosen; returns what both APIs get of them (default: the values). */
  read?(context: Context, values: AllValues<A, F>): V;
  readonly kafka: ApiVariant<NoInfer<V>, R>;
  readonly admin: ApiVariant<NoInfer<V>, R>;
  /**
   * For a command that reads again and again: gets a function that runs it once. The first run that reaches the cluster
   * chooses the API.
   */
  repeat?(context: Context, values: AllValues<A, F>, once: () => Promise<R>): Promise<Result<R>> | Result<R>;
}

/**
 * Declares a verb that reads over one of two APIs. Write `read` before `kafka` and `admin`, so that the compiler can infer
 * the types.
 */
export function byApi<
  R,
  F extends Flags & { readonly api: Flag<ChosenApi | undefined> },
  // biome-ignore lint/complexity/noBannedTypes: {} is "no arguments", the fallback of inference
  A extends Args = {},
  V = AllValues<A, F>,
>({ kafka, admin, read, repeat, notes, ...shared }: ReadByApiSpec<A, F, V, R>): Command {
  const variants = { kafka, admin };
  return command<R, A, F>({
    ...shared,
    ...helpByApi({ ...shared, notes, kafka, admin }),
    changes: 'reads',
    apis: ['kafka', 'admin'],
    async run(context, values) {
      const input = read === undefined ? (values as V) : read(context, values);
      let api: ChosenApi | undefined;
      const once = async () => {
        api ??= await chooseApi(context, (values as { readonly api?: ChosenApi }).api);
        return await variants[api].run(context, input);
      };
      return await (repeat === undefined ? once() : repeat(context, values, once));
    },
  });
}

/**
 * Decides which API a command uses: the given one; the Admin API if its address is configured, as by commands that have
 * no choice; otherwise the Admin API for Redpanda, which offers its configuration, users and health there, and the Kafka
 * API for other clusters.
 * @throws CliError if the brokers have to be asked and do not answer
 */
export async function chooseApi(context: Context, forced: ChosenApi | undefined): Promise<ChosenApi> {
  if (forced !== undefined) return forced;
  const config = await context.config();
  if (config.setting('admin.hosts').source !== 'default') {
    context.step('using the Admin API: admin.hosts is set');
    return 'admin';
  }
  const isRedpanda = await (await context.kafka()).isRedpanda();
  context.step(`using the ${isRedpanda === true ? 'Admin API: the cluster is Redpanda' : 'Kafka API'}`);
  return isRedpanda === true ? 'admin' : 'kafka';
}

/** The words that repeat a given `--api` in a command that a hint names. */
export function apiWords(forced: ChosenApi | undefined): string {
  return forced === undefined ? '' : ` --api ${forced}`;
}
