/** The form of the secrets in the environment: the Worker reads them in this form, and a start refuses others. Pure. */

/** The least number of characters of a secret. */
const SHORTEST = 32;

/**
 * The secrets of `CREDENTIAL_SECRETS`: `kid:secret`, separated by commas. The first one signs. Throws if the setting is
 * invalid; the error says what would be right and reveals no secret.
 */
export function parseCredentialSecrets(setting: string) {
  const secrets = setting.split(',').map((entry) => {
    const [kid = '', secret = '', ...rest] = entry.trim().split(':');
    if (kid === '' || secret.length < SHORTEST || rest.length > 0) {
      throw new Error(
        'CREDENTIAL_SECRETS must be kid:secret pairs, comma-separated, ' +
          `with secrets of at least ${SHORTEST} characters without colons.`,
      );
    }
    return { kid, secret };
  });
  if (new Set(secrets.map(({ kid }) => kid)).size < secrets.length) {
    throw new Error('CREDENTIAL_SECRETS must be pairs of which each has a kid of its own.');
  }
  return secrets;
}

/** True for a secret that may make its bearer the operator. */
export function isOperatorSecret(secret: string): boolean {
  return secret.length >= SHORTEST;
}
