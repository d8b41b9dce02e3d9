// expect: nothing
import { request } from '../../../lib/http.ts';
import { Button } from '../../../ui/button.tsx';
import { AnswerText } from '../answer/answer-text.tsx';

export const used = { request, Button, AnswerText };
