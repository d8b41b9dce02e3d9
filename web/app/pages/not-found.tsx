import { NoPage } from '../ui/page/no-page.tsx';

export const meta = () => [{ title: 'Not found' }];

/** An unknown address. */
export default function NotFoundPage() {
  return <NoPage />;
}
