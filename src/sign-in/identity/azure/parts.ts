import type { BearerToken } from '../../../net/bearer.ts';
import type { Wanted } from '../chain.ts';
import type { VendorParts } from '../vendor.ts';

/** What the steps of the chain need. */
export interface AzureParts extends VendorParts {
  /** What the token is for, for example `https://demo.servicebus.windows.net/.default`. */
  readonly scope: string;
}

/** A token, and the place that it is from. */
export interface AzureToken {
  readonly token: BearerToken;
  readonly from: string;
}

/** What errors call it. */
export const what: Wanted = {
  name: 'an Azure token',
  compare: 'compare with what the Azure CLI gets: az account get-access-token',
  logIn: 'log in with: az login',
};

/** The resource that a scope is for: endpoints of version 1 take that instead. */
export function resourceOf(scope: string): string {
  return (scope.split(' ')[0] ?? '').replace(/\/\.default$/, '');
}
