import { usageError } from '../../../errors.ts';
import { announcedHint, type HostRule } from '../vendor.ts';

/** The addresses of Event Hubs namespaces, in each of the clouds. */
const ofEventHubs = /^[a-z\d.-]+\.servicebus\.(?:windows\.net|chinacloudapi\.cn|usgovcloudapi\.net)\.?$/i;

/** Whether a host is one of Event Hubs. */
export function isOfEventHubs(host: string): boolean {
  return ofEventHubs.test(host);
}

/**
 * What a token for a broker is for. A token for a namespace of Event Hubs is of no use elsewhere; for any other address,
 * somebody must have decided what it may get.
 * @throws CliError (exit 2) if neither the address nor the option says it
 */
export function scopeFor(host: string, { option, freesOthers }: HostRule): string {
  const isOwn = isOfEventHubs(host);
  if (option !== '' && (isOwn || freesOthers)) return option;
  if (isOwn) return `https://${host.toLowerCase().replace(/\.$/, '')}/.default`;
  throw usageError(`unable to sign in to ${host} with an Azure identity: it is not an address of Event Hubs`, {
    code: 'NOT_OF_AZURE',
    target: 'oauth.scope',
    hints: [
      option === ''
        ? 'if a token of yours may go there, say what for: -X oauth.scope=https://NAMESPACE.servicebus.windows.net/.default'
        : announcedHint('oauth.scope'),
      'whoever answers there could use the token as you until it expires',
    ],
  });
}
