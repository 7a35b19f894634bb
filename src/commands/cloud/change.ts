import { flag, toggle } from '../../cli/command.ts';
import { nullable, object, type Schema, string, wordOf } from '../../cli/output/schema.ts';
import { typedWord } from '../../cloud/api/words.ts';
import type { Fields, Operation } from '../../cloud/rows.ts';
import type { Context } from '../../context.ts';
import { stoppedError, stoppedWait } from '../../errors.ts';
import { durationToMs } from '../../format/duration.ts';
import { commandText } from '../../format/shell-word.ts';
import type { View } from '../../format/view.ts';
import { duration } from '../../kinds.ts';
import { detail, operationView, type ResourceView } from './views.ts';

/** The default of `--wait-timeout`, in nanoseconds. */
export const ninetyMinutes = 90n * 60n * 1_000_000_000n;

/** The flags of commands that start an operation. */
export const waitFlags = {
  wait: toggle({ fallback: true, help: 'wait for completion; --no-wait prints the operation and returns' }),
  waitTimeout: flag(duration, { fallback: ninetyMinutes, help: 'maximum time to wait' }),
};

/** How to wait, as `run` receives it. */
export interface WaitValues {
  readonly wait: boolean;
  readonly waitTimeout: bigint;
}

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

/** The request that `--dry-run` shows instead of sending it. */
export interface PlannedRequest extends Fields {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** The name of the resource, if it already exists. */
  readonly target: string | null;
  readonly body: Fields | null;
}

/** The request that would be sent; nothing is sent. */
export async function plan(
  context: Context,
  method: PlannedRequest['method'],
  path: string,
  { body = null, target = null }: { readonly body?: Fields | null; readonly target?: string | null } = {},
): Promise<PlannedRequest> {
  return { method, url: `${(await context.cloud()).place.apiUrl}${path}`, target, body };
}

const plannedSchema: Schema = {
  ...object({
    method: wordOf('POST', 'PATCH', 'DELETE'),
    url: string,
    target: nullable(string),
    body: nullable({ type: 'object' }),
  }),
  additionalProperties: true,
};

const goneSchema: Schema = {
  ...object({ id: string, name: string, state: wordOf('DELETED') }),
  additionalProperties: true,
};

/** A resource that was deleted. */
export interface Gone extends Fields {
  readonly id: string;
  readonly name: string;
  readonly state: 'DELETED';
}

/** The output of a command that changes a resource: the resource, its operation, or the request of a dry run. */
export function changeOutput({ schema }: ResourceView) {
  return {
    schema: { anyOf: [schema, operationView.schema, plannedSchema, goneSchema] },
    text(row: Fields, how: View): string {
      if (typeof row.method !== 'string' || typeof row.url !== 'string') return detail(row, how);
      const { method, url, target, body } = row;
      const head = { 'would send': `${method} ${url}`, for: target };
      return detail({ ...head, ...(body as Fields | null) }, how);
    },
  };
}
