// Sends the contact form, on the page without the application and within it. What it says stands in the form's data attributes.
const TIMEOUT_MS = 30_000;
const MAX_CHARACTERS = 5000;
let leaving;
/** The id of whoever is signed in, '' for a visitor; unknown until the server has said it. */
let person;

/** Makes the form that is on the page ready, and fills in what this person did not send, and the address of who is signed in. */
async function prepare() {
  const form = document.querySelector('form[data-contact]');
  if (form === null) return;
  form.querySelector('[type="submit"]').disabled = false;
  const { message, email } = form.elements;
  const signIn = await fetch('/api/auth/get-session').then(
    (response) => response.json(),
    () => undefined,
  );
  // Without an answer, it is whoever it was on this page before.
  person = signIn === undefined ? (person ?? '') : (signIn?.user.id ?? '');
  if (!email.isConnected) return;
  const draft = readDraft(form);
  if (message.value === '') message.value = draft.message;
  else keepDraft(form);
  if (email.value === '') email.value = draft.email;
  if (!signIn) return;
  form.dataset.signedIn = '';
  if (email.value === '') email.value = signIn.user.email;
}

/** Where this tab keeps what somebody wrote; `lib/typed` forgets it with the rest of what they typed. */
const keyOf = (form, uid) => `${form.dataset.draft}${uid}:contact`;

/** What was typed in this tab before and not sent: by this person, or before they signed in. */
function readDraft(form) {
  try {
    const kept = sessionStorage.getItem(keyOf(form, person)) ?? sessionStorage.getItem(keyOf(form, ''));
    const { message, email } = JSON.parse(kept ?? '{}');
    return { message: String(message ?? ''), email: String(email ?? '') };
  } catch {
    return { message: '', email: '' };
  }
}

/** Keeps what is typed, for a reload or a look at another page; forgets it once it is sent. */
function keepDraft(form) {
  if (person === undefined) return;
  const { message, email } = form.elements;
  try {
    sessionStorage.removeItem(keyOf(form, ''));
    if (message.value === '') sessionStorage.removeItem(keyOf(form, person));
    else sessionStorage.setItem(keyOf(form, person), JSON.stringify({ message: message.value, email: email.value }));
  } catch {
    // A browser that stores nothing keeps no draft.
  }
}

function show(form, tone, text) {
  const notice = form.querySelector('[role="status"]');
  clearTimeout(leaving);
  notice.dataset.tone = tone;
  notice.textContent = text;
  leaving = setTimeout(() => {
    notice.textContent = '';
  }, Number(form.dataset.noticeMs));
}

/** Says what is wrong with a field, beneath it; '' takes it back. */
function mark(field, text) {
  document.getElementById(field.getAttribute('aria-describedby')).textContent = text;
  if (text === '') field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
}

/** What is wrong with a field: '', 'missing' or 'wrong'. */
function problem(form, field) {
  const text = field.value.trim();
  if (field.name === 'email' && text === '' && 'signedIn' in form.dataset) return '';
  if (text === '') return 'missing';
  if (field.name === 'email') return field.validity.typeMismatch ? 'wrong' : '';
  return Array.from(text).length > MAX_CHARACTERS ? 'wrong' : '';
}

function refusedFields(form) {
  const { message, email } = form.elements;
  return [message, email].filter((field) => {
    const found = problem(form, field);
    mark(field, found === '' ? '' : field.parentElement.dataset[found]);
    return found !== '';
  });
}

/** What the form holds goes out once under one key, however often it is tried. */
async function post(form) {
  const { message, email, website } = form.elements;
  form.dataset.key ??= Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('');
  const response = await fetch('/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': form.dataset.key },
    body: JSON.stringify({
      message: message.value.trim(),
      website: website.value,
      ...(email.value.trim() === '' ? {} : { email: email.value.trim() }),
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return 'sent';
  const { error } = await response.json();
  // The server says how long to wait.
  if (response.status === 429) return error.message;
  const field = response.status === 400 ? form.elements[error.field] : undefined;
  if (field === undefined || field === website) return 'failed';
  mark(field, error.message);
  field.focus();
  return 'refused';
}

async function send(form) {
  const button = form.querySelector('[type="submit"]');
  if (button.getAttribute('aria-busy') === 'true') return;
  const [first] = refusedFields(form);
  if (first !== undefined) return first.focus();
  const label = button.textContent;
  button.setAttribute('aria-busy', 'true');
  button.textContent = button.dataset.working;
  const result = await post(form).catch(() => 'failed');
  button.removeAttribute('aria-busy');
  button.textContent = label;
  if (result === 'sent') {
    form.elements.message.value = '';
    delete form.dataset.key;
    keepDraft(form);
    show(form, 'good', form.dataset.sent);
  } else if (result !== 'refused') show(form, 'bad', result === 'failed' ? form.dataset.failed : result);
}

document.addEventListener('submit', (event) => {
  if (!event.target.matches('form[data-contact]')) return;
  event.preventDefault();
  void send(event.target);
});
document.addEventListener('input', (event) => {
  const form = event.target.closest('form[data-contact]');
  if (form !== null) keepDraft(form);
});
addEventListener('contact-form', prepare);
// Loaded before the page was read to its end, or long after.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', prepare);
else void prepare();
