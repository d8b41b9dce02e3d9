import { PRODUCT_NAME } from '@atelier/contract/product';
import { Link } from 'react-router';
import { PublicPage } from '../features/accounts/public-page.tsx';
import { Banner } from '../ui/banner.tsx';
import { buttonClass } from '../ui/button.tsx';

export const meta = () => [{ title: `Contact · ${PRODUCT_NAME}` }];

export default function ContactPage() {
  return (
    <PublicPage>
      <div className="mx-auto flex w-full max-w-[72ch] flex-col gap-6 px-5 py-10 sm:px-8">
        <h1 className="font-semibold text-4xl tracking-tight">Contact</h1>
        <Banner>
          The contact form arrives in a later version. Until then, please turn to whoever runs this installation.
        </Banner>
        <Link to="/runtime" className={buttonClass('secondary', 'md', 'self-start')}>
          Back to the runtime
        </Link>
      </div>
    </PublicPage>
  );
}
