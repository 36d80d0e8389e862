/** The words of the ready pages, by language: a row has a word in each of them, in the same order. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const;

const WORDS = {
  logIn: ['Log in', 'Anmelden', 'Se connecter', 'Iniciar sesión', 'Accedi'],
  logOut: ['Log out', 'Abmelden', 'Se déconnecter', 'Cerrar sesión', 'Esci'],
  signUp: ['Create an account', 'Konto anlegen', 'Créer un compte', 'Crear una cuenta', 'Crea un account'],
  username: ['User name', 'Benutzername', 'Nom d’utilisateur', 'Nombre de usuario', 'Nome utente'],
  name: [
    'User name or e-mail',
    'Benutzername oder E-Mail',
    'Nom d’utilisateur ou e-mail',
    'Nombre de usuario o correo',
    'Nome utente o e-mail',
  ],
  email: ['E-mail', 'E-Mail', 'E-mail', 'Correo electrónico', 'E-mail'],
  password: ['Password', 'Passwort', 'Mot de passe', 'Contraseña', 'Password'],
  newPassword: [
    'New password',
    'Neues Passwort',
    'Nouveau mot de passe',
    'Contraseña nueva',
    'Nuova password',
  ],
  code: ['Code', 'Code', 'Code', 'Código', 'Codice'],
  usePasskey: [
    'Use a passkey',
    'Passkey verwenden',
    'Utiliser une clé d’accès',
    'Usar una llave de acceso',
    'Usa una passkey',
  ],
  continueWith: ['Continue with', 'Weiter mit', 'Continuer avec', 'Continuar con', 'Continua con'],
  addPasskey: [
    'Add a passkey',
    'Passkey hinzufügen',
    'Ajouter une clé d’accès',
    'Añadir una llave de acceso',
    'Aggiungi una passkey',
  ],
  added: [
    'This device can log you in.',
    'Mit diesem Gerät können Sie sich anmelden.',
    'Cet appareil peut vous connecter.',
    'Este dispositivo puede iniciar su sesión.',
    'Questo dispositivo può farti accedere.',
  ],
  waysIn: [
    'Passkeys and logins elsewhere',
    'Passkeys und Anmeldungen anderswo',
    'Clés d’accès et comptes liés',
    'Llaves de acceso y cuentas vinculadas',
    'Passkey e account collegati',
  ],
  rename: ['Rename', 'Umbenennen:', 'Renommer', 'Cambiar el nombre de', 'Rinomina'],
  remove: ['Remove', 'Entfernen:', 'Supprimer', 'Eliminar', 'Rimuovi'],
  newName: ['Name', 'Name', 'Nom', 'Nombre', 'Nome'],
  lastWayIn: [
    'This is your only way in. Add another one first.',
    'Das ist Ihre einzige Anmeldung. Fügen Sie zuerst eine andere hinzu.',
    'C’est votre seul moyen de connexion. Ajoutez-en d’abord un autre.',
    'Es su única forma de entrar. Añada antes otra.',
    'È il tuo unico modo di accedere. Aggiungine prima un altro.',
  ],
  logInAgain: [
    'Your login is too old for this. Log in again.',
    'Dafür ist Ihre Anmeldung zu alt. Melden Sie sich noch einmal an.',
    'Votre connexion est trop ancienne pour cela. Reconnectez-vous.',
    'Su sesión es demasiado antigua para esto. Iníciela de nuevo.',
    'Il tuo accesso è troppo vecchio per questo. Accedi di nuovo.',
  ],
  addFactor: [
    'Add a second factor',
    'Zweiten Faktor hinzufügen',
    'Ajouter un second facteur',
    'Añadir un segundo factor',
    'Aggiungi un secondo fattore',
  ],
  appKey: [
    'Open your app for codes with this link, or type this key into it; then type its code here:',
    'Öffnen Sie Ihre App für Codes mit diesem Link, oder geben Sie dort diesen Schlüssel ein; dann hier ihren Code:',
    'Ouvrez votre app de codes par ce lien, ou tapez-y cette clé ; puis tapez ici son code :',
    'Abra su app de códigos con este enlace, o escriba en ella esta clave; después escriba aquí su código:',
    'Apri la tua app per i codici con questo link, o scrivi lì questa chiave; poi scrivi qui il codice:',
  ],
  openApp: ['Open the app', 'App öffnen', 'Ouvrir l’app', 'Abrir la app', 'Apri l’app'],
  recovery: [
    'Keep these codes: each logs you in once without the app.',
    'Bewahren Sie diese Codes auf: jeder meldet Sie einmal ohne die App an.',
    'Gardez ces codes : chacun vous connecte une fois sans l’app.',
    'Guarde estos códigos: cada uno inicia su sesión una vez sin la app.',
    'Conserva questi codici: ognuno ti fa accedere una volta senza l’app.',
  ],
  askCode: [
    'Type the code of your app, or a code that you have kept, or use a passkey.',
    'Geben Sie den Code Ihrer App ein, oder einen aufbewahrten, oder verwenden Sie einen Passkey.',
    'Tapez le code de votre app, ou un code gardé, ou utilisez une clé d’accès.',
    'Escriba el código de su app, o uno que haya guardado, o use una llave de acceso.',
    'Scrivi il codice della tua app, o uno conservato, o usa una passkey.',
  ],
  forgotten: [
    'Forgot your password?',
    'Passwort vergessen?',
    'Mot de passe oublié ?',
    '¿Olvidó su contraseña?',
    'Password dimenticata?',
  ],
  byMail: [
    'Log in by mail',
    'Per E-Mail anmelden',
    'Se connecter par e-mail',
    'Iniciar sesión por correo',
    'Accedi via e-mail',
  ],
  send: ['Send the mail', 'E-Mail senden', 'Envoyer l’e-mail', 'Enviar el correo', 'Invia l’e-mail'],
  sent: [
    'If there is such an account, a mail is on its way. Open its link, or type its code.',
    'Gibt es dieses Konto, kommt eine E-Mail. Öffnen Sie den Link darin, oder geben Sie den Code ein.',
    'Si ce compte existe, un e-mail arrive. Ouvrez son lien ou tapez son code.',
    'Si existe la cuenta, llegará un correo. Abra su enlace o escriba su código.',
    'Se l’account esiste, arriverà un’e-mail. Apri il link o scrivi il codice.',
  ],
  link: [
    'Link from a mail',
    'Link aus einer E-Mail',
    'Lien d’un e-mail',
    'Enlace de un correo',
    'Link da un’e-mail',
  ],
  signedUp: [
    'Open the link in your mail to confirm your address.',
    'Öffnen Sie den Link in der E-Mail, um Ihre Adresse zu bestätigen.',
    'Ouvrez le lien de l’e-mail pour confirmer votre adresse.',
    'Abra el enlace del correo para confirmar su dirección.',
    'Apri il link dell’e-mail per confermare l’indirizzo.',
  ],
  confirm: [
    'Confirm the address',
    'Adresse bestätigen',
    'Confirmer l’adresse',
    'Confirmar la dirección',
    'Conferma l’indirizzo',
  ],
  confirmed: [
    'Your address is confirmed. Log in.',
    'Ihre Adresse ist bestätigt. Melden Sie sich an.',
    'Votre adresse est confirmée. Connectez-vous.',
    'Su dirección está confirmada. Inicie sesión.',
    'Indirizzo confermato. Accedi.',
  ],
  undo: [
    'Take the address back',
    'Adresse zurückholen',
    'Récupérer l’adresse',
    'Recuperar la dirección',
    'Riprendi l’indirizzo',
  ],
  undone: [
    'The address is yours again. Set a new password.',
    'Die Adresse gehört wieder Ihnen. Setzen Sie ein neues Passwort.',
    'L’adresse est de nouveau à vous. Choisissez un nouveau mot de passe.',
    'La dirección vuelve a ser suya. Elija una contraseña nueva.',
    'L’indirizzo è di nuovo tuo. Scegli una nuova password.',
  ],
  passwordSet: [
    'Your password is set. Log in.',
    'Ihr Passwort ist gesetzt. Melden Sie sich an.',
    'Votre mot de passe est enregistré. Connectez-vous.',
    'Su contraseña está guardada. Inicie sesión.',
    'Password salvata. Accedi.',
  ],
  loggedIn: [
    'You are logged in.',
    'Sie sind angemeldet.',
    'Vous êtes connecté.',
    'Ha iniciado sesión.',
    'Hai effettuato l’accesso.',
  ],
  next: ['Continue', 'Weiter', 'Continuer', 'Continuar', 'Continua'],
  back: ['Back', 'Zurück', 'Retour', 'Atrás', 'Indietro'],
  ownData: [
    'Download my data',
    'Meine Daten herunterladen',
    'Télécharger mes données',
    'Descargar mis datos',
    'Scarica i miei dati',
  ],
  erase: [
    'Delete my account',
    'Mein Konto löschen',
    'Supprimer mon compte',
    'Eliminar mi cuenta',
    'Elimina il mio account',
  ],
  eraseNow: [
    'Delete it with all that is mine, for good',
    'Endgültig löschen, mit allem, was mir gehört',
    'Supprimer définitivement, avec tout ce qui est à moi',
    'Eliminarla para siempre, con todo lo mío',
    'Eliminalo per sempre, con tutto ciò che è mio',
  ],
  erased: [
    'Your account is gone.',
    'Ihr Konto ist gelöscht.',
    'Votre compte est supprimé.',
    'Su cuenta ya no existe.',
    'Il tuo account non c’è più.',
  ],
  wrong: [
    'Name or password is wrong.',
    'Name oder Passwort ist falsch.',
    'Nom ou mot de passe incorrect.',
    'El nombre o la contraseña no es correcto.',
    'Nome o password errati.',
  ],
  wrongCode: [
    'The code is wrong, was used, or is too old.',
    'Der Code ist falsch, schon benutzt oder zu alt.',
    'Le code est faux, déjà utilisé ou trop ancien.',
    'El código es incorrecto, ya se usó o ha caducado.',
    'Il codice è errato, già usato o scaduto.',
  ],
  taken: [
    'This name is taken.',
    'Dieser Name ist vergeben.',
    'Ce nom est déjà pris.',
    'Este nombre ya existe.',
    'Questo nome è già in uso.',
  ],
  tooMany: [
    'Too many tries. Come back later.',
    'Zu viele Versuche. Kommen Sie später wieder.',
    'Trop d’essais. Revenez plus tard.',
    'Demasiados intentos. Vuelva más tarde.',
    'Troppi tentativi. Riprova più tardi.',
  ],
} as const satisfies Readonly<Record<string, readonly [string, string, string, string, string]>>;

export type Word = keyof typeof WORDS;
export type Language = (typeof LANGUAGES)[number];

/** The first language of the browser that there are words in. */
export function languageOf(headers: Headers): Language {
  const wanted = (headers.get('accept-language') ?? '').toLowerCase().split(',');
  const known = wanted.map((each) => LANGUAGES.find((language) => each.trim().startsWith(language)));
  return known.find((each) => each !== undefined) ?? 'en';
}

export function wordIn(language: Language, word: Word): string {
  return WORDS[word][LANGUAGES.indexOf(language)] ?? WORDS[word][0];
}
