/** An error that the Admin API returns as `{ message, code }` with the status as its code. */
export class AdminError extends Error {
  readonly status: number;
  /** The whole body, where it differs from `{ message, code }`. */
  readonly body: unknown;

  constructor(status: number, message: string, body: unknown = { message, code: status }) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** 400: the request is malformed, or the state does not allow it. */
export function badRequest(message: string): AdminError {
  return new AdminError(400, message);
}

/** 404: what the path names does not exist. */
export function notFound(message: string): AdminError {
  return new AdminError(404, message);
}

/** 503: the cluster cannot do it now. */
export function unavailable(message: string): AdminError {
  return new AdminError(503, message);
}

/** 503: a move or a rebalance is under way (redpanda src/v/redpanda/admin/server.cc:1058, 26: 1311). */
export function updateInProgress(): AdminError {
  return unavailable('Service unavailable (Partition configuration update in progress)');
}

/** 500: a cluster error without a status of its own. */
export function unexpected(message: string): AdminError {
  return new AdminError(500, `Unexpected cluster error: ${message}`);
}

/** 500: what object storage, a license or an upgrade would enable is not there. */
export function featureDisabled(): AdminError {
  return unexpected('Requested feature is disabled');
}
