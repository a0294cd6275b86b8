"""Authorisation of requests: a token in the header, its scopes, and its limits."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer, SecurityScopes

from assistant.api.problems import ApiProblem
from assistant.api.services import ApiServices
from assistant.live.access_tokens import ApiGrant, Scope

bearer = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="A token that `python -m assistant tokens give --scope ...` made.",
)
NO_TOKEN = "No valid token. Send one as `Authorization: Bearer TOKEN`."
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="Lectern"'}


def services_of(request: Request) -> ApiServices:
    """Return the resources of this process."""
    services: ApiServices = request.app.state.services
    return services


Services = Annotated[ApiServices, Depends(services_of)]


def authorised(
    required: SecurityScopes,
    services: Services,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> ApiGrant:
    """Return the rights of the token of a request, which is counted.

    Raises: ApiProblem with 401 for no valid token, 403 if it lacks a scope, 429 beyond its limits.
    """
    grant = services.tokens.api_grant(credentials.credentials) if credentials else None
    if grant is None:
        raise ApiProblem(401, NO_TOKEN, headers=CHALLENGE)
    missing_scopes = sorted(set(required.scopes) - grant.scopes)
    if missing_scopes:
        detail = f"This token lacks the {missing_scopes[0]} scope. Ask an administrator for it."
        raise ApiProblem(403, detail)
    # This counts the request, unless the token has reached a limit.
    request_allowance = services.usage.count(grant, services.clock())
    if request_allowance.wait_s:
        raise ApiProblem(
            429,
            f"This token has reached its request limit. Try again in {request_allowance.wait_s} s.",
            headers={"Retry-After": str(request_allowance.wait_s), "RateLimit-Remaining": "0"},
        )
    return grant


MayMatch = Annotated[ApiGrant, Security(authorised, scopes=[str(Scope.MATCH)])]
MayReadFactChecks = Annotated[ApiGrant, Security(authorised, scopes=[str(Scope.FACT_CHECKS)])]
MayReadChecks = Annotated[ApiGrant, Security(authorised, scopes=[str(Scope.READ_CHECKS)])]
MayWriteChecks = Annotated[ApiGrant, Security(authorised, scopes=[str(Scope.WRITE_CHECKS)])]
MayReadDecisions = Annotated[ApiGrant, Security(authorised, scopes=[str(Scope.READ_DECISIONS)])]
MayDecide = Annotated[ApiGrant, Security(authorised, scopes=[str(Scope.WRITE_DECISIONS)])]
MayReadArchive = Annotated[ApiGrant, Security(authorised, scopes=[str(Scope.ARCHIVE)])]
