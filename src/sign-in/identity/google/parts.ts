import type { Wanted } from '../chain.ts';
import type { VendorParts } from '../vendor.ts';
import type { Access } from './managed-kafka.ts';

/** What the steps of the chain need. */
export interface GoogleParts extends VendorParts {
  readonly scope: string;
}

/** An access token, and the place that it is from. */
export interface GoogleToken {
  readonly access: Access;
  readonly from: string;
}

/** What errors call it. */
export const what: Wanted = {
  name: 'a Google token',
  compare: 'compare with what gcloud gets: gcloud auth application-default print-access-token',
  logIn: 'log in with: gcloud auth application-default login',
};
