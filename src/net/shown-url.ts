/**
 * The URL for messages and traces, without a user and a password. The query is removed too unless `withQuery`, because
 * that of a download may be a signature.
 */
export function shownUrl(url: string, { withQuery = false }: { readonly withQuery?: boolean } = {}): string {
  const shown = withQuery ? url : url.replace(/[?#].*$/s, '');
  // A URL for HTTP may also be written with other slashes than these.
  return shown.replace(/^([a-z][a-z\d+.-]*:[/\\]*)[^/?#]*@/i, '$1');
}

/** The URL of a request for messages, with its query; names in it can be thousands of letters long, so it is cut. */
export function briefUrl(url: string): string {
  const shown = shownUrl(url, { withQuery: true });
  return shown.length > longest ? `${shown.slice(0, longest - 1)}…` : shown;
}

const longest = 300;
