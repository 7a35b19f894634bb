import { pathOf } from '../net/json-api/call.ts';
import { hasStatus } from '../net/json-api/error.ts';
import { anything, mapped, read, row, truth } from '../shape/shape.ts';
import { type Api, calls } from './client/api.ts';
import { EnterpriseUse, License } from './license-rows.ts';

const path = pathOf`/v1/features/license`;

const loaded = row({ loaded: truth });
const answer = mapped(anything, (body) =>
  read(loaded, body).loaded ? read(row({ license: License }), body).license : undefined,
);

const readLicense = calls.get('read the license', path, answer, { to: 'leader', form: 'loaded' });

const readUse = calls.get('read which enterprise features are in use', pathOf`/v1/features/enterprise`, EnterpriseUse, {
  form: 'features',
});

/** The calls about the license. */
export function createLicenseCalls(api: Api) {
  return {
    /** The license of the cluster; undefined if none is loaded. */
    license: () => api.call(readLicense),
    /** The use of features that need a license; undefined if older versions do not report it. */
    async enterpriseUse() {
      try {
        return await api.call(readUse);
      } catch (error) {
        if (hasStatus(error, 404)) return undefined;
        throw error;
      }
    },
    /**
     * Loads a license, which may be the one that is loaded already. No error repeats its text.
     * @throws ApiError (400, exit 1) if the server does not accept it
     */
    setLicense: (text: string) =>
      // The server accepts the license that it has.
      api.call(calls.put('load the license', path, { body: text, to: 'leader', repeats: true, hides: text })),
  };
}
