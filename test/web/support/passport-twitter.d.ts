/** Types of the parts of passport-twitter that the tests use. */
declare module 'passport-twitter' {
  import type { Profile, Strategy as PassportStrategy } from 'passport';

  export interface TwitterOptions {
    readonly consumerKey: string;
    readonly consumerSecret: string;
    readonly callbackURL: string;
    readonly requestTokenURL: string;
    readonly accessTokenURL: string;
    readonly userAuthorizationURL: string;
    readonly userProfileURL: string;
  }

  export interface TwitterProfile extends Profile {
    readonly _accessLevel: string;
  }

  export class Strategy extends PassportStrategy {
    constructor(
      options: TwitterOptions,
      verify: (
        token: string,
        tokenSecret: string,
        profile: TwitterProfile,
        done: (error: unknown, user: unknown) => void,
      ) => void,
    );
    authenticate(): void;
  }
}
