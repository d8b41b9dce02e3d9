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
