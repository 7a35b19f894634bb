import type { Api } from '../api.ts';
import { type CopyRequest, planCopy } from './plan.ts';
import { runCopy } from './run.ts';

/** The calls that copy subjects to another registry. */
export function createCopyCalls(api: Api) {
  return {
    /** What another registry needs to know of this one to copy to it. */
    api,
    /** Compares subjects with those of another registry. @throws CliError (exit 6) for what is there under the same version or id */
    planCopy: (request: CopyRequest) => planCopy(api, request),
    /** Makes a planned copy; returns why subjects failed. */
    runCopy,
  };
}
