import type { AdminOptions } from '../admin/admin.ts';
import { type HttpApiParts, httpApiOptions } from './http-api.ts';

/**
 * Builds the options of the client of the Admin API from the configuration.
 * @throws CliError if there is no address
 */
export function adminOptions(given: HttpApiParts): AdminOptions {
  return httpApiOptions('admin', given);
}
