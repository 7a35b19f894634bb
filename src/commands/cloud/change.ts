import {
  type AllValues,
  type Args,
  type Command,
  type Confirmation,
  command,
  type Flags,
  flag,
  toggle,
  type ValuesOf,
} from '../../cli/command.ts';
import type { ChangeCalled } from '../../cli/forms/change.ts';
import { endedShape, outcomeFields, outcomeOf } from '../../cli/forms/outcome.ts';
import { typedWord } from '../../cloud/api/cloud-words.ts';
import { type Operation, operation, type Resource } from '../../cloud/cloud-rows.ts';
import type { Context } from '../../context.ts';
import { stoppedError, stoppedWait } from '../../errors.ts';
import { durationToMs } from '../../format/duration.ts';
import { commandText } from '../../format/shell-word.ts';
import type { View } from '../../format/view.ts';
import { duration, text } from '../../kinds.ts';
import type { Fields } from '../../shape/object.ts';
import { either, looseRow, maybe, object, type Shape, string, word } from '../../shape/shape.ts';
import { detail } from './views.ts';

/** `--wait-timeout`; an operation of the control plane may take an hour. */
export function waitTimeoutFlag(help = 'maximum time to wait') {
  return flag(duration, { fallback: 90n * 60n * 1_000_000_000n, help });
}

/** The flags of commands that start an operation. */
export const waitFlags = {
  wait: toggle({ fallback: true, help: 'wait for completion; --no-wait prints the operation and returns' }),
  waitTimeout: waitTimeoutFlag(),
};

/** The flags of the plugin that a flow may run. */
export const pluginFlags = {
  projectId: flag(text, { help: 'project for the plugin on gcp' }),
  subscriptionId: flag(text, { help: 'subscription for the plugin on azure' }),
};

/** The flags that all flows have in common, as `run` receives them. */
export type FlowValues = ValuesOf<typeof pluginFlags> & Pick<WaitValues, 'waitTimeout'>;

/** How to wait, as `run` receives it. */
export type WaitValues = ValuesOf<typeof waitFlags>;

/** Waits for an operation, with its state as progress. */
export async function finish(
  context: Context,
  { id }: Pick<Operation, 'id'>,
  title: string,
  { waitTimeout }: Pick<WaitValues, 'waitTimeout'>,
): Promise<Operation> {
  const cloud = await context.cloud();
  const progress = context.progress(title);
  context.step(`waiting for operation ${id}`);
  context.onInterrupt(
    stoppedWait({ what: `operation ${id}`, resumeWith: commandText`weir cloud operation wait ${id}` }),
  );
  try {
    const operation = await cloud.waitForOperation(id, {
      waitTimeoutMs: durationToMs(waitTimeout),
      onProgress: ({ state }) => progress.report({ detail: typedWord('state', state) }),
    });
    context.onInterrupt(
      stoppedError(`operation ${id} has completed`, [commandText`see it with: weir cloud operation get ${id}`], id),
    );
    return operation;
  } finally {
    progress.end();
  }
}

const plannedRow = looseRow({
  method: word('POST', 'PATCH', 'DELETE'),
  url: string,
  /** The name of the resource, if it already exists. */
  target: maybe(string),
  body: maybe(object),
  ...outcomeFields,
});

const goneRow = looseRow({ id: string, name: string, state: word('DELETED'), ...outcomeFields });

/** A resource that was deleted. */
export function gone(id: string, name: string) {
  return { id, name, state: 'DELETED' as const };
}

/** The request that would change something, for a dry run. */
interface PlannedRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Fields | null;
  /** The name of the resource, if it already exists. */
  readonly target?: string | null;
}

/** The declaration of a command that changes one resource. `P` is its plan. */
interface CloudChangeSpec<A, F, P> extends Omit<ChangeCalled<A, F>, 'apis'> {
  /** The resource that is shown when the change is complete. */
  readonly resource: Pick<Resource, 'row'>;
  plan(context: Context, values: AllValues<A, F>): Promise<P> | P;
  asks?(plan: P, values: AllValues<A, F>): Confirmation;
  /** What a dry run shows instead of sending it. */
  request(plan: P, values: AllValues<A, F>, context: Context): PlannedRequest;
  /** Returns the resource, or the operation that changes it. */
  apply(context: Context, plan: P, values: AllValues<A, F>): Promise<Fields>;
}

/**
 * Declares a command that changes one resource: its row, that of its operation, or the request of a dry run, ends with
 * `status`, `dry_run` and `error`. Write `plan` before the other steps, so that the compiler can infer its type.
 */
// biome-ignore lint/complexity/noBannedTypes: {} is "no arguments" and "no flags", the fallback of inference
export function cloudChange<P, A extends Args = {}, F extends Flags = {}>(spec: CloudChangeSpec<A, F, P>): Command {
  const { resource, plan, asks, request, apply, ...called } = spec;
  return command<Fields, A, F, P>({
    ...called,
    apis: ['cloud'],
    result: changed(resource),
    plan,
    ...(asks !== undefined && {
      confirm: (_context: Context, values: AllValues<A, F>, planned: P) => asks(planned, values),
    }),
    dryRun: (context, values, planned) => plannedRequest(context, request(planned, values, context)),
    run: async (context, values, planned) => done(await apply(context, planned, values)),
    show: { text: changedText },
  });
}

/** The row of a change that was made; an operation has an error of its own, which is null when it has begun. */
export function done({ error: _error, ...row }: Fields): Fields {
  return { ...row, ...outcomeOf({}, false) };
}

/** The row of a dry run: the request that would be sent. */
export async function plannedRequest(
  context: Context,
  { method, path, target = null, body = null }: PlannedRequest,
): Promise<Fields> {
  return { method, url: `${(await context.cloud()).addresses.apiUrl}${path}`, target, body, ...outcomeOf({}, true) };
}

/** The result of a command that changes a resource: the resource, its operation, or the request of a dry run. */
export function changed({ row }: Pick<Resource, 'row'>): Shape<Fields> {
  return either(endedShape(row), endedShape(operation.row), plannedRow, goneRow);
}

/** A changed resource, its operation or the request of a dry run, as text. */
export function changedText({ status: _status, dry_run: _dryRun, error: _error, ...row }: Fields, how: View): string {
  if (typeof row.method !== 'string' || typeof row.url !== 'string') return detail(row, how);
  const { method, url, target, body } = row;
  const head = { 'would send': `${method} ${url}`, for: target };
  return detail({ ...head, ...(body as Fields | null) }, how);
}
