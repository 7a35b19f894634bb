import { type Address, parseAddress } from '../../net/address.ts';
import { plainHttpWarning } from '../../net/plain-http.ts';
import type { AdminOptions } from '../admin.ts';

/** Warns of passwords that go unencrypted to other machines, once for each host. */
interface PlainWatch {
  /** Called with the URL of every request, which has the password of the option `pass` if there is one. */
  sending(url: string): void;
  /** Called with the URL of a request whose body has the password of a user. */
  sendingNewPassword(url: string): void;
}

/** Warns about the configured addresses, and watches those that the cluster redirects to. */
export function createPlainWatch(options: AdminOptions): PlainWatch {
  const { addresses, usesTls, credentials, warn } = options;
  const watch = (what?: string): ((given: readonly Address[]) => void) => {
    const warned = new Set<string>();
    return (given) => {
      const fresh = given.filter(({ host }) => !warned.has(host.toLowerCase()));
      for (const { host } of fresh) warned.add(host.toLowerCase());
      const warning = plainHttpWarning({ addresses: fresh, usesTls, key: 'admin.hosts', what });
      if (warning !== undefined) warn(warning);
    };
  };
  const ofLogin = credentials === undefined ? () => undefined : watch();
  const ofUser = watch('the password of the user');
  ofLogin(addresses);
  return {
    sending: (url) => ofLogin(addressesOf(url)),
    sendingNewPassword: (url) => ofUser(addressesOf(url)),
  };
}

function addressesOf(url: string): readonly Address[] {
  return [parseAddress(new URL(url).origin, { defaultPort: 9644, scheme: 'http' })];
}
