import { flag, toggle, type ValuesOf } from '../../cli/command.ts';
import { typedWord } from '../../cloud/api/cloud-words.ts';
import { type Operation, operation } from '../../cloud/cloud-rows.ts';
import type { Context } from '../../context.ts';
import { stoppedError, stoppedWait } from '../../errors.ts';
import { durationToMs } from '../../format/duration.ts';
import { commandText } from '../../format/shell-word.ts';
import type { View } from '../../format/view.ts';
import { duration, text } from '../../kinds.ts';
import type { Fields } from '../../shape/object.ts';
import { either, looseRow, maybe, object, type RowOf, type Shape, string, word } from '../../shape/shape.ts';
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

const plannedRequest = looseRow({
  method: word('POST', 'PATCH', 'DELETE'),
  url: string,
  /** The name of the resource, if it already exists. */
  target: maybe(string),
  body: maybe(object),
});

/** The request that `--dry-run` shows instead of sending it. */
export type PlannedRequest = RowOf<typeof plannedRequest>;

/** The request that would be sent; nothing is sent. */
export async function wouldSend(
  context: Context,
  method: PlannedRequest['method'],
  path: string,
  { body = null, target = null }: { readonly body?: Fields | null; readonly target?: string | null } = {},
): Promise<PlannedRequest> {
  return { method, url: `${(await context.cloud()).addresses.apiUrl}${path}`, target, body };
}

const gone = looseRow({ id: string, name: string, state: word('DELETED') });

/** A resource that was deleted. */
export type Gone = RowOf<typeof gone>;

/** The result of a command that changes a resource: the resource, its operation, or the request of a dry run. */
export function changed<R>(resource: Shape<R>): Shape<R | Operation | PlannedRequest | Gone> {
  return either(resource, operation.row, plannedRequest, gone);
}

/** A changed resource, its operation or the request of a dry run, as text. */
export function changedText(row: Fields, how: View): string {
  if (typeof row.method !== 'string' || typeof row.url !== 'string') return detail(row, how);
  const { method, url, target, body } = row;
  const head = { 'would send': `${method} ${url}`, for: target };
  return detail({ ...head, ...(body as Fields | null) }, how);
}
