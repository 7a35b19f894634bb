/** An answer without any item to a listing of subjects (schema registry) or of users (Admin API of Redpanda 26.1). */
export function emptyList(url = ''): string {
  return url.endsWith('/ListScramCredentials') ? '{"scramCredentials":[]}' : '[]';
}
