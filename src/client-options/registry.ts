import { cacheDirectory } from '../files/locations.ts';
import type { RegistryOptions } from '../registry/open.ts';
import { type HttpApiParts, httpApiOptions } from './http-api.ts';

/**
 * Builds the options of the schema registry client from the configuration.
 * @throws CliError if there is no address
 */
export function registryOptions(given: HttpApiParts): RegistryOptions {
  return { ...httpApiOptions('registry', given), cacheDirectory: cacheDirectory(given.parts.host) };
}
