/** What of the ready pages (src/http/pages/account) needs a script: passkeys, and codes behind an address. */

/** The code of a link goes to the page as a form, so that no log has it. Nothing is done with it before a press. */
function follow(): void {
  const { hash, pathname, search } = location;
  if (!hash.includes('code=')) return;
  // It need not stay in the address.
  history.replaceState(null, '', pathname + search);
  const form = Object.assign(document.createElement('form'), { method: 'post', action: pathname + search });
  for (const [name, value] of Object.entries({ work: 'follow', link: hash }))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
}

async function prove(form: HTMLFormElement): Promise<void> {
  const { options = '' } = form.dataset;
  const said = JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON &
    PublicKeyCredentialRequestOptionsJSON;
  const made =
    'user' in said
      ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(said) })
      : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(said) });
  const response = JSON.stringify(await made);
  for (const input of form.elements)
    if (input instanceof HTMLInputElement && input.name === 'response') input.value = response;
  form.submit();
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[hidden]')) {
  form.hidden = false;
  if (form.dataset['options'] === undefined) continue;
  const tell = (error: unknown) => {
    const status = document.querySelector('[role=status]');
    if (status !== null) status.textContent = error instanceof Error ? error.message : String(error);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    prove(form).catch(tell);
  });
  // Whoever is asked for nothing else has just chosen it.
  if (document.querySelector('form.main') === null) prove(form).catch(tell);
}
follow();
addEventListener('hashchange', follow);
