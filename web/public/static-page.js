// The colour switch of pages that carry no application. The same storage key as the application's own switch.
const root = document.documentElement;
const buttons = document.querySelectorAll('[data-theme-choice]');

function stored() {
  try {
    return localStorage.getItem('theme') ?? 'system';
  } catch {
    return 'system';
  }
}

function show(choice) {
  for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.themeChoice === choice));
}

for (const button of buttons) {
  button.addEventListener('click', () => {
    const choice = button.dataset.themeChoice;
    try {
      if (choice === 'system') localStorage.removeItem('theme');
      else localStorage.setItem('theme', choice);
    } catch {
      // Storage is refused; the choice lasts for this page.
    }
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = choice === 'system' ? (dark ? 'dark' : 'light') : choice;
    show(choice);
  });
}
show(stored());

// The upgrade button of pages without the application: people who are signed in go on to pay, everybody else is told to sign up.
function tellSignUp() {
  // Pressed again before the server had said who is there.
  if (document.querySelector('dialog[open]') !== null) return;
  const dialog = document.createElement('dialog');
  dialog.setAttribute('role', 'alertdialog');
  dialog.setAttribute('aria-labelledby', 'sign-up-first');
  dialog.setAttribute('aria-describedby', 'sign-up-why');
  dialog.className = 'm-auto rounded-lg border border-line bg-raised p-5 text-ink shadow-raised backdrop:bg-black/45';
  const add = (tag, id, text, className) => {
    const element = Object.assign(document.createElement(tag), { id, textContent: text, className });
    dialog.append(element);
    return element;
  };
  add('h2', 'sign-up-first', 'Sign up first', 'font-semibold text-lg');
  add('p', 'sign-up-why', 'You must be signed in to purchase.', 'text-muted');
  const button = add('button', 'sign-up-go', 'Sign up', document.querySelector('[data-purchase]').className);
  button.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => location.assign('/signup?from=%2Fbilling'));
  document.body.append(dialog);
  dialog.showModal();
}

for (const button of document.querySelectorAll('[data-purchase]')) {
  button.addEventListener('click', async () => {
    const signIn = await fetch('/api/auth/get-session')
      .then((response) => response.json())
      // Where nobody answers, nobody is called signed out.
      .catch(() => true);
    if (signIn) location.assign('/billing');
    else tellSignUp();
  });
}
