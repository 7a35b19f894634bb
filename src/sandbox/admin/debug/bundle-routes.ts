import { boolean, integer, list, object, oneOf, optional, type Reader, text } from '../../http/readers.ts';
import { noContent, param, type Reply } from '../../http/reply.ts';
import { AdminError } from '../admin-error.ts';
import { type AdminRequest, by, ok, type Route, readJson, route } from '../request.ts';
import type { Bundle } from '../state.ts';
import type { World } from '../world.ts';
import { failed, fileName, startBundle } from './bundle.ts';

/** The routes of debug bundles; each node has its own. */
export const bundleRoutes: readonly Route[] = [
  route('bundle.start', 'POST /v1/debug/bundle', by.superuser, start),
  route('bundle.status', 'GET /v1/debug/bundle', by.superuser, status),
  route('bundle.cancel', 'DELETE /v1/debug/bundle/{job_id}', by.superuser, cancel),
  route('bundle.file', 'GET /v1/debug/bundle/file/{filename}', by.superuser, file),
];

/** The codes of errors, which are not those of HTTP. */
const codes = {
  running: { code: 1, status: 409 },
  notRunning: { code: 2, status: 409 },
  invalid: { code: 3, status: 422 },
  failed: { code: 4, status: 500 },
  unknownJob: { code: 6, status: 404 },
  neverStarted: { code: 7, status: 409 },
  expired: { code: 9, status: 410 },
} as const;

function bundleError(kind: keyof typeof codes, message: string): AdminError {
  const { code, status: httpStatus } = codes[kind];
  return new AdminError(httpStatus, message, { code, message });
}

const uuid: Reader<string> = (value, at) => {
  const id = text(value, at);
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id;
  throw bundleError('invalid', `${at} must be a UUID`);
};

/** One of four words, or a date with its time, in the time zone of the node; what follows it is not read. */
const logTime: Reader<string> = (value, at) => {
  const instant = text(value, at);
  const time = /^\d{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01])T([01]?\d|2[0-3]):[0-5]?\d:[0-5]?\d/;
  if (['yesterday', 'today', 'now', 'tomorrow'].includes(instant) || time.test(instant)) return instant;
  throw bundleError('invalid', `${at} must be a time such as 2026-01-31T00:00:00, or yesterday, today, now, tomorrow`);
};

const authentication = object({
  mechanism: oneOf('SCRAM-SHA-256', 'SCRAM-SHA-512'),
  username: text,
  password: text,
});

const config = object({
  authentication: optional(authentication),
  controller_logs_size_limit_bytes: optional(integer),
  cpu_profiler_wait_seconds: optional(integer),
  logs_since: optional(logTime),
  logs_until: optional(logTime),
  logs_size_limit_bytes: optional(integer),
  metrics_interval_seconds: optional(integer),
  metrics_samples: optional(integer),
  partition: optional(list(text)),
  tls_enabled: optional(boolean),
  tls_insecure_skip_verify: optional(boolean),
  namespace: optional(text),
  label_selector: optional(list(object({ key: text, value: text }))),
});

const startBody = object({ job_id: uuid, config: optional(config) });

function start(world: World, request: AdminRequest): Reply {
  const { job_id: jobId } = readStart(request);
  if (request.node.bundle?.status === 'running') throw bundleError('running', 'a bundle is being collected');
  request.node.bundle = startBundle(jobId, world.clock.now());
  return ok({ job_id: jobId });
}

function readStart(request: AdminRequest) {
  try {
    return readJson(request, startBody);
  } catch (error) {
    throw bundleError('invalid', (error as Error).message);
  }
}

/** The last bundle of the node. @throws AdminError 409 when there was none */
function lastOf({ node }: AdminRequest): Bundle {
  if (node.bundle === null) throw bundleError('neverStarted', 'no bundle was ever started');
  return node.bundle;
}

function status(_: World, request: AdminRequest): Reply {
  const bundle = lastOf(request);
  const { jobId, createdAt, file: done, stdout, stderr } = bundle;
  return ok({
    job_id: jobId,
    status: bundle.status,
    created: createdAt,
    filename: fileName(bundle),
    ...(done === null ? {} : { file_size: done.length }),
    stdout,
    stderr,
  });
}

function cancel(world: World, request: AdminRequest): Reply {
  const bundle = lastOf(request);
  if (bundle.status !== 'running') throw bundleError('notRunning', 'the bundle is not being collected');
  if (bundle.jobId !== param(request, 'job_id')) throw bundleError('unknownJob', 'the job does not exist');
  request.node.bundle = failed(bundle, world.clock.now(), 'canceled');
  return noContent;
}

/** The bundle that a file belongs to. */
function ofFile(request: AdminRequest): Bundle {
  const bundle = lastOf(request);
  if (fileName(bundle) !== param(request, 'filename')) throw bundleError('unknownJob', 'the file does not exist');
  if (bundle.status === 'running') throw bundleError('running', 'the bundle is being collected');
  return bundle;
}

function file(_: World, request: AdminRequest): Reply {
  const { status: now, file: bytes } = ofFile(request);
  if (now === 'expired') throw bundleError('expired', 'the bundle has expired');
  if (bytes === null) throw bundleError('failed', 'the bundle could not be collected');
  return { status: 200, bytes, headers: { 'content-type': 'application/zip' } };
}
