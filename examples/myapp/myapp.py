"""MyApp: an operator in one small file.

A type, a function, and that is all.

    kubewright run examples/myapp/myapp.py --embedded

`kubectl` then makes what is in `samples/`.
"""

from typing import Annotated

import kubewright as kw
from kubewright.k8s.apps.v1 import Deployment, DeploymentSpec
from kubewright.k8s.core.v1 import Container, PodSpec, PodTemplateSpec
from kubewright.k8s.meta.v1 import LabelSelector

AGE = kw.Column("Age", ".metadata.creationTimestamp")


class MyAppSpec(kw.Model):
    """What the user wants."""

    replicas: Annotated[kw.Int32, kw.Minimum(0)] = 1
    """How many pods run."""
    image: Annotated[str, kw.MinLength(1)]
    """What they run."""


class MyApp(
    kw.Resource,
    group="example.com",
    version="v1alpha1",
    columns=[AGE, kw.Column("Replicas", ".spec.replicas"), kw.Column("Image", ".spec.image")],
):
    """An app: so many pods of an image."""

    spec: MyAppSpec
    """What the user wants."""


@kw.controller(MyApp, owns=[Deployment])
async def my_app(my: MyApp, ctx: kw.Context) -> None:
    """Have a Deployment there that is as the MyApp says."""
    labels = {"app": my.metadata.name}
    pod = PodSpec(containers=[Container(name="myapp", image=my.spec.image)])
    template = PodTemplateSpec(metadata=kw.ObjectMeta(labels=labels), spec=pod)
    spec = DeploymentSpec(replicas=my.spec.replicas, selector=LabelSelector(match_labels=labels), template=template)
    await ctx.apply(Deployment(metadata=kw.ObjectMeta(name=my.metadata.name), spec=spec))


app = kw.Operator("myapp-operator", [my_app])
