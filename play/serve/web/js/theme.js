// Runs before anything is drawn, so that a page in the chosen colours does not
// flash in others. No module: those run late.
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch { /* storage may be forbidden */ }
