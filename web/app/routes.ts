import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('pages/landing.tsx'),
  route('login', 'pages/login.tsx'),
  route('login/forgot', 'pages/forgot-password.tsx'),
  route('login/reset', 'pages/reset-password.tsx'),
  route('login/confirm', 'pages/confirm-email.tsx'),
  route('signup', 'pages/signup.tsx'),
  route('runtime', 'pages/runtime.tsx'),
  route('library', 'pages/library.tsx'),
  route('explore', 'pages/explore.tsx', [route(':creatorId/:agentId', 'pages/public-agent.tsx')]),
  route('memory', 'pages/memory.tsx'),
  route('billing', 'pages/billing.tsx'),
  route('account', 'pages/account.tsx'),
  route('usage', 'pages/usage.tsx'),
  route('shared/:token', 'pages/shared.tsx'),
  route('shared/:token/continue', 'pages/shared-continue.tsx'),
  route('contact', 'pages/contact.tsx'),
  route('terms', 'pages/terms.tsx'),
  route('privacy', 'pages/privacy.tsx'),
  route('*', 'pages/not-found.tsx'),
] satisfies RouteConfig;
