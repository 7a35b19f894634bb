import { hasStatus } from '../../net/json-api/error.ts';
import { anything, mapped, read, row, truth } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import { enterpriseUse, type LicenseCalls, license } from './license-rows.ts';

const path = '/v1/features/license';

const loaded = row({ loaded: truth });
const answer = mapped(anything, (body) =>
  read(loaded, body).loaded ? read(row({ license }), body).license : undefined,
);

const readLicense = calls.get('read the license', path, answer, { to: 'leader', form: 'loaded' });

const readUse = calls.get('read which enterprise features are in use', '/v1/features/enterprise', enterpriseUse, {
  form: 'features',
});

/** The calls about the license. */
export function openLicenseCalls(api: Api): LicenseCalls {
  return {
    license: () => api.call(readLicense),
    async enterpriseUse() {
      try {
        return await api.call(readUse);
      } catch (error) {
        if (hasStatus(error, 404)) return undefined;
        throw error;
      }
    },
    setLicense: (text) =>
      // The server accepts the license that it has.
      api.call(calls.put('load the license', path, { body: text, to: 'leader', repeats: true, hides: text })),
  };
}
