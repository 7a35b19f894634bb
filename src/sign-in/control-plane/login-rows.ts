import { described, maybe, type RowOf, row, string, truth, word } from '../../shape/shape.ts';

/** A login stored on this machine, without its secrets. */
export const ControlPlaneLogin = row({
  name: string,
  kind: word('client-credentials', 'sso'),
  organization: described(string, 'name of the organization; empty if it is unknown'),
  organization_id: string,
  client_id: string,
  api_url: string,
  secret_kept: described(truth, 'whether a new token can be requested without a prompt for the client secret'),
  expires_at: described(maybe(string), 'expiry of the token in RFC 3339; null without a token'),
  current: described(truth, 'whether commands use this login if no credentials are configured'),
});
export type ControlPlaneLogin = RowOf<typeof ControlPlaneLogin>;
