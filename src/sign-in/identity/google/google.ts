import { firstOf } from '../chain.ts';
import { hostRule, type Vendor, type VendorParts } from '../vendor.ts';
import { fromCli } from './cli.ts';
import { fromFile, fromGcloudFile } from './files.ts';
import { isOfGoogle, kafkaToken, scopeFor } from './managed-kafka.ts';
import { fromMetadata } from './metadata.ts';
import { type Found, type GoogleParts, what } from './parts.ts';

/** Opens the identities of Google: the first of the places where its libraries look (application default credentials). */
export function openGoogle({ options, requests }: VendorParts): Vendor {
  const { brokers, scope, deadline } = options;
  const rule = hostRule(brokers, scope, isOfGoogle);
  let from = '';
  return {
    name: 'Google identity',
    async token() {
      const parts: GoogleParts = { options, requests, scope: scopeFor(brokers[0]?.host ?? '', rule) };
      const found = await firstOf<Found>(what, [
        { name: 'file', find: () => fromFile(parts) },
        { name: 'gcloud login for applications', find: () => fromGcloudFile(parts) },
        { name: 'metadata server', find: () => fromMetadata(parts) },
        { name: 'gcloud', find: () => fromCli(parts) },
      ]);
      const { access } = found;
      const until = new Date(access.expiresAt).toISOString().replace(/\.\d+/, '');
      from = `${access.email}, from ${found.from}, until ${until}`;
      const text = kafkaToken(access, deadline.clock.wallTime());
      return { text, expiresAt: access.expiresAt, about: `the token is one of ${from}`, secrets: [access.text] };
    },
    identify: async () => from,
    checkHost: (host) => void scopeFor(host, rule),
  };
}
