/** Follows a login of a test provider as a browser and a person would: opens the page, and sends every form. */
export async function browse(page: string, isDone: (url: string) => boolean): Promise<string> {
  const cookies = new Map<string, string>();
  let next: { readonly url: string; readonly body?: URLSearchParams } = { url: page };
  for (let steps = 0; steps < 20; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = next.body;
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    if (isDone(next.url)) return text;
    const location = response.headers.get('location');
    if (location !== null) next = { url: new URL(location, next.url).href };
    else {
      const form = formIn(text, next.url);
      if (form === undefined) return text;
      next = form;
    }
  }
  throw new Error('the login does not end');
}

/** What a person types. */
const typed: Readonly<Record<string, string>> = { login: 'ana', password: 'anything' };

function formIn(html: string, url: string) {
  const [form, action] = /<form[^>]*action="([^"]+)".*?<\/form>/s.exec(html) ?? [];
  if (form === undefined || action === undefined) return undefined;
  const body = new URLSearchParams();
  for (const [input] of form.matchAll(/<(?:input|button)[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name !== undefined && name !== 'abort') body.set(name, typed[name] ?? /value="([^"]*)"/.exec(input)?.[1] ?? '');
  }
  return { url: new URL(action, url).href, body };
}
