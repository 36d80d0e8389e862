/** What whoever runs this types: in a clone of the project, or where it is a package. */
import { basename } from 'node:path';

const isClone = /^(app|serve)\.ts$/.test(basename(process.argv[1] ?? ''));

export const PROGRAM = isClone ? 'npm run app --' : 'foredge';
export const START = isClone ? 'npm start' : 'foredge start';
