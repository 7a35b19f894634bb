import { hasStatus } from '../../net/json-api/error.ts';

/** Whether the error means that the resource does not exist. */
export function isMissing(error: unknown): boolean {
  return hasStatus(error, 404);
}

/**
 * Whether a read found nothing, or the control plane does not have it: not every read is documented, so that its absence is
 * no failure.
 */
export function isUnread(error: unknown): boolean {
  return hasStatus(error, 404, 405, 501);
}

/** Whether there is nothing with the id that was read. An API that checks the form of ids answers that it is invalid. */
export function isNoId(error: unknown): boolean {
  return isUnread(error) || (hasStatus(error, 400) && error.code === 'INVALID_ARGUMENT');
}
