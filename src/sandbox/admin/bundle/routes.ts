import { AdminError } from '../http/admin-error.ts';
import { by, type Call, noContent, ok, param, type Reply, type Route, route } from '../http/call.ts';
import { boolean, integer, list, object, oneOf, optional, type Reader, readJson, text } from '../http/readers.ts';
import type { World } from '../world.ts';
import { type Bundle, failed, startBundle } from './bundle.ts';

/** The routes of debug bundles; each node has its own. */
export const bundleRoutes: readonly Route[] = [
  route('bundle.start', 'POST /v1/debug/bundle', by.superuser, start),
  route('bundle.status', 'GET /v1/debug/bundle', by.superuser, status),
  route('bundle.cancel', 'DELETE /v1/debug/bundle/{job_id}', by.superuser, cancel),
  route('bundle.file', 'GET /v1/debug/bundle/file/{filename}', by.superuser, file),
  route('bundle.file.delete', 'DELETE /v1/debug/bundle/file/{filename}', by.superuser, removeFile),
];

/** The codes of errors, which are not those of HTTP. */
const codes = {
  running: { code: 1, status: 409 },
  notRunning: { code: 2, status: 409 },
  invalid: { code: 3, status: 422 },
  unknownJob: { code: 6, status: 404 },
  neverStarted: { code: 7, status: 409 },
  expired: { code: 9, status: 410 },
} as const;

function bundleError(kind: keyof typeof codes, message: string): AdminError {
  const { code, status: httpStatus } = codes[kind];
  return new AdminError(httpStatus, message, { code, message });
}

const uuid: Reader<string> = (value, at) => {
  const found = text(value, at);
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(found)) return found;
  throw bundleError('invalid', `${at} must be a UUID`);
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
  logs_since: optional(text),
  logs_until: optional(text),
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

function start(world: World, call: Call): Reply {
  const { job_id: jobId } = readStart(call);
  if (call.node.bundle?.status === 'running') throw bundleError('running', 'a bundle is being collected');
  call.node.bundle = startBundle(jobId, world.clock.now());
  return ok({ job_id: jobId });
}

function readStart(call: Call) {
  try {
    return readJson(call, startBody);
  } catch (error) {
    throw bundleError('invalid', (error as Error).message);
  }
}

/** The last bundle of the node. @throws AdminError 409 when there was none */
function lastOf({ node }: Call): Bundle {
  if (node.bundle === null) throw bundleError('neverStarted', 'no bundle was ever started');
  return node.bundle;
}

function status(_: World, call: Call): Reply {
  const bundle = lastOf(call);
  // The documents give both a status `expired` and an error for it; here the error comes.
  if (bundle.status === 'expired') throw bundleError('expired', 'the bundle has expired');
  const { jobId, createdAt, file: done, stdout, stderr } = bundle;
  return ok({
    job_id: jobId,
    status: bundle.status,
    created: createdAt,
    ...(done === null ? {} : { filename: done.name, file_size: done.bytes.length }),
    stdout,
    stderr,
  });
}

function cancel(world: World, call: Call): Reply {
  const bundle = lastOf(call);
  if (bundle.jobId !== param(call, 'job_id')) throw bundleError('unknownJob', 'the job does not exist');
  if (bundle.status !== 'running') throw bundleError('notRunning', 'the bundle is not being collected');
  call.node.bundle = failed(bundle, world.clock.now(), 'canceled');
  return noContent;
}

function fileOf(call: Call): Buffer {
  const { status: now, file: done } = lastOf(call);
  if (now === 'running') throw bundleError('running', 'the bundle is being collected');
  if (done === null || done.name !== param(call, 'filename'))
    throw bundleError('unknownJob', 'the file does not exist');
  return done.bytes;
}

function file(_: World, call: Call): Reply {
  return { status: 200, bytes: fileOf(call), headers: { 'content-type': 'application/zip' } };
}

function removeFile(_: World, call: Call): Reply {
  fileOf(call);
  call.node.bundle = null;
  return noContent;
}
